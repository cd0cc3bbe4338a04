<?php
class Node {
    public function visit(): void {}
    public function __invoke(int $n) {}
}

function each_node(array $nodes, callable $do) {
    foreach ($nodes as $node) {
        $do($node); //: calls -
    }
}

function run() {
    $nodes = [new Node(), new Node()]; //: calls Node
    foreach ($nodes as $i => $node) {
        $node->visit(); //: calls Node.visit
    }
    array_map(fn($n) => $n->visit(), $nodes); //: calls Node.visit
    array_map(function (Node $n) { $n->visit(); }, $nodes); //: calls Node.visit
    $first = $nodes[0];
    $later = function () use ($first) {
        $first->visit(); //: calls Node.visit
    };
    $later();
    $first(1); //: calls Node.__invoke
    $visit = $first->visit(...);
    $visit(); //: calls Node.visit
    [$a, $b] = [new Node(), 1]; //: calls Node
    $a->visit(); //: calls Node.visit
    $c = $b ? new Node() : null; //: calls Node
    $c?->visit(); //: calls Node.visit
    $d = match (true) { default => new Node() }; //: calls Node
    $d->visit(); //: calls Node.visit
}
