<?php
enum Suit: string {
    case Hearts = 'H';
    case Spades = 'S';
    public function label(): string { return self::pretty($this); } //: calls Suit.pretty
    public static function pretty(Suit $suit): string { return ''; }
}

function show(Suit $suit) {
    $suit->label(); //: calls Suit.label
    Suit::Hearts->label(); //: calls Suit.label; references Suit, Suit.Hearts
    try {
        show(Suit::Spades); //: calls show
    } catch (Failure $e) {
        $e->explain(); //: calls Failure.explain
        throw new Failure(); //: calls Failure
    }
}

class Failure extends \Exception { public function explain() {} }
