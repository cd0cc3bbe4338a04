class Base
  def ready
  end
end

class Robot < Base
  def walk
    talk #: calls b.rb::Robot.talk
  end
end
