<?php
namespace App;

use App\Models\User as Person; //: imports src/Models/User.php
use App\{Kernel, Models\User}; //: imports src/Kernel.php, src/Models/User.php
require __DIR__ . '/Kernel.php'; //: imports src/Kernel.php

function slug(string $text) { return strtolower($text); } //: calls -

function boot() {
    $person = new Person(); //: calls src/Models/User.php::User
    $person->name(); //: calls src/Models/User.php::User.name
    (new Kernel())->start(new User()); //: calls src/Kernel.php::Kernel, src/Kernel.php::Kernel.start, src/Models/User.php::User
    \App\slug('y'); //: calls slug
    namespace\slug('z'); //: calls slug
}
