abstract contract Base {
    event Done(uint id);
    address owner;
    constructor(address at) { owner = at; } //: references Base.owner
    function log(uint id) internal { emit Done(id); }
    function run(uint id, uint n) public virtual returns (uint) { log(id); return n; } //: calls Base.log
}
function free(uint x) pure returns (uint) { return x; }
