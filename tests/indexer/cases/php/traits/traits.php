<?php
trait Hello { public function hi() { return $this->name(); } } //: calls Greeter.name
trait Loud { public function hi() {} public function shout() {} }

class Greeter {
    use Hello, Loud { Loud::hi insteadof Hello; Hello::hi as softly; }
    public function name() {}
    public function go() {
        $this->hi(); //: calls Loud.hi
        $this->softly(); //: calls Hello.hi
        $this->shout(); //: calls Loud.shout
    }
}
