package tree

type Node struct {
	left, right *Node
	value       int
}

func NewNode(v int) *Node { return &Node{value: v} }

func (n *Node) Insert(v int) *Node {
	if n == nil {
		return NewNode(v) //: calls NewNode
	}
	n.left.Insert(v)         //: calls Node.Insert
	n.right = n.right.Insert(v) //: calls Node.Insert; references Node.right
	return n
}

func (n Node) Sum() int { return n.value }

func total(nodes []*Node, byName map[string]Node) int {
	sum := 0
	for _, n := range nodes {
		sum += n.Sum() //: calls Node.Sum
	}
	for _, n := range byName {
		sum += n.Sum() //: calls Node.Sum
	}
	return sum + byName["a"].Sum() + nodes[0].Insert(1).Sum() //: calls Node.Sum, Node.Insert
}
