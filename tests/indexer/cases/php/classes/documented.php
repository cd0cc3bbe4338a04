<?php
class Wheel { public function turn() {} }

class Bike {
    /** @var Wheel[] */
    private array $wheels;
    /** @var list<Wheel> */
    private $spare;

    /**
     * @param array<int, Wheel> $wheels
     * @return Wheel|null
     */
    public function ride(array $wheels) {
        foreach ($this->wheels as $wheel) {
            $wheel->turn(); //: calls Wheel.turn
        }
        foreach ($wheels as $other) {
            $other->turn(); //: calls Wheel.turn
        }
        $this->spare[0]->turn(); //: calls Wheel.turn
        $this->ride([])->turn(); //: calls Bike.ride, Wheel.turn
        return unknown();
    }
}

function wheels() { yield new Wheel(); } //: calls Wheel

foreach (wheels() as $yielded) {
    $yielded->turn(); //: calls Wheel.turn
}
/** @var Wheel $told */
$told = unknown();
$told->turn(); //: calls Wheel.turn
$all = [new Wheel()]; //: calls Wheel
end($all)->turn(); //: calls Wheel.turn
