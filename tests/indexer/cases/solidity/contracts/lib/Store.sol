interface IStore { function get(uint id) external payable returns (uint); }
contract Store is IStore { //: implements IStore
    uint[] items;
    constructor(uint size) { items.push(size); }
    function get(uint id) external payable override returns (uint) { return items[id]; } //: overrides IStore.get
    function put(uint x) external { items.push(x); }
}
