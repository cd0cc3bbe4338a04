pragma solidity ^0.8.0;

import "./Base.sol"; //: imports Base.sol
import {Store as Shelf, IStore} from "./lib/Store.sol"; //: imports lib/Store.sol
import * as V from "./Validators.sol"; //: imports Validators.sol

contract Service is Base { //: inherits Base.sol::Base
    using V.Checks for uint;
    IStore public store;
    mapping(address => Shelf) shelves;
    Shelf[] all;
    struct Item { uint id; IStore at; }

    constructor(address at) Base(at) { //: calls Base.sol::Base, Base.sol::Base.constructor
        store = IStore(at); //: calls -
        all.push(new Shelf(3)); //: calls lib/Store.sol::Store, lib/Store.sol::Store.constructor
    }

    modifier ready(uint id) { check(id); _; } //: calls Service.check

    function check(uint id) internal view {
        require(id.isPositive(), "no"); //: calls Validators.sol::Checks.isPositive
    }

    function run(uint id, Item memory item) public override ready(id) returns (uint r) { //: calls Service.ready; overrides Base.sol::Base.run
        r = store.get(id); //: calls lib/Store.sol::IStore.get, lib/Store.sol::Store.get
        item.at.get{value: 1}(2); //: calls lib/Store.sol::IStore.get, lib/Store.sol::Store.get
        shelves[msg.sender].put(r); //: calls lib/Store.sol::Store.put
        all[0].put(V.Checks.twice(r)); //: calls lib/Store.sol::Store.put, Validators.sol::Checks.twice
        Shelf made = new Shelf(1); //: calls lib/Store.sol::Store, lib/Store.sol::Store.constructor
        made.put(1); //: calls lib/Store.sol::Store.put
        log(id); //: calls Base.sol::Base.log
        super.run(id, item); //: calls Base.sol::Base.run
        this.stop(); //: calls Service.stop
        for (uint i = 0; i < free(r); i++) { check(i); } //: calls Base.sol::free, Service.check
        try store.get(1) returns (uint v) { log(v); } catch { log(0); } //: calls lib/Store.sol::IStore.get, lib/Store.sol::Store.get, Base.sol::Base.log
        return r;
    }

    function stop() external { emit Done(1); } //: calls -; references Base.sol::Base.Done
}
