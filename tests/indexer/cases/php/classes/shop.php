<?php
interface Store { public function save(Item $item): void; }

abstract class Base {
    public function __construct(protected Store $store) {}
    public function run(): void { $this->prepare(); } //: calls Shop.prepare, Base.prepare
    abstract protected function prepare();
    public static function make(Store $store): static { return new static($store); }
}

class Memory implements Store {
    private array $items = [];
    public function save(Item $item): void { $this->items[] = $item; }
    public function first(): ?Item { return $this->items[0] ?? null; }
}

class Item {
    const KIND = 'item';
    public static ?Item $last = null;
    public string $name;
    public function __construct(string $name) { $this->name = $name; } //: references Item.$name
    public function rename(): self { return $this; }
}

class Shop extends Base {
    private Memory $memory;
    public function __construct(Store $store) {
        parent::__construct($store); //: calls Base.__construct
        $this->memory = new Memory(); //: calls Memory; references Shop.$memory
    }
    protected function prepare() {
        $item = new Item('a'); //: calls Item, Item.__construct
        $this->store->save($item); //: calls Store.save, Memory.save
        $this->memory->save($item->rename()); //: calls Memory.save, Item.rename
        $this->memory->first()->rename(); //: calls Memory.first, Item.rename
        self::helper($item)->rename(); //: calls Shop.helper, Item.rename
        Item::$last = $item; //: references Item, Item.$last
        Item::$last->rename(); //: calls Item.rename
        echo Item::KIND; //: references Item, Item.KIND
    }
    private static function helper(Item $item) { return $item; }
}

$shop = new Shop(new Memory()); //: calls Shop, Shop.__construct, Memory
$shop->run(); //: calls Base.run
Shop::make(new Memory())->run(); //: calls Base.make, Base.run, Memory
