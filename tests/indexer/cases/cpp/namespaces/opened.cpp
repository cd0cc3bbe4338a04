namespace tools { void hammer() {} }
using namespace tools;
void work() { hammer(); } //: calls tools.hammer
