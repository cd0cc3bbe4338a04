class Node
  def visit
  end

  def child
    Node.new #: calls Node
  end
end

class Tree
  def initialize
    @nodes = [Node.new] #: calls Node
  end

  def each(&block)
    @nodes.each(&block) #: calls -
  end

  def each_node
    yield Node.new #: calls Node
  end

  def run
    @nodes.each { |n| n.visit } #: calls Node.visit
    @nodes.map(&:child).each { |c| c.visit } #: calls Node.child, Node.visit
    each_node do |n| #: calls Tree.each_node
      n.visit #: calls Node.visit
      run #: calls Tree.run
    end
    callback = ->(n) { n.visit } #: calls Node.visit
    callback.call(Node.new) #: calls Node
    callback.(Node.new) #: calls Node
    picked = @nodes.first || Node.new #: calls Node
    picked.visit #: calls Node.visit
    table = { a: Node.new } #: calls Node
    table[:a].visit #: calls Node.visit
    case picked
    when Node then picked.child #: calls Node.child
    end
    value = if picked then Node.new else nil end #: calls Node
    value.visit #: calls Node.visit
  end
end
