library Checks {
    function isPositive(uint x) internal pure returns (bool) { return twice(x) > 0; } //: calls Checks.twice
    function twice(uint x) internal pure returns (uint) { return x * 2; }
}
