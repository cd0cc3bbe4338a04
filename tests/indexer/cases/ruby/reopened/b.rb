class Robot
  def talk
    walk #: calls a.rb::Robot.walk
    ready #: calls a.rb::Base.ready
  end

  def self.build
    new #: calls a.rb::Robot
  end
end

Robot.new.walk #: calls a.rb::Robot, a.rb::Robot.walk
Robot.new.talk #: calls a.rb::Robot, Robot.talk
Robot.build.ready #: calls Robot.build, a.rb::Base.ready
