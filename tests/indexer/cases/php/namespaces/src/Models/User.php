<?php
namespace App\Models;

use function App\slug;

class User {
    public function name(): string { return slug('x'); } //: calls src/functions.php::slug
}
