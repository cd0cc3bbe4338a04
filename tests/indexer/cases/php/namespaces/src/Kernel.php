<?php
namespace App;

class Kernel {
    public function start(Models\User $user) {
        boot(); //: calls src/functions.php::boot
        $user->name(); //: calls src/Models/User.php::User.name
        Kernel::class; //: references Kernel
    }
}
