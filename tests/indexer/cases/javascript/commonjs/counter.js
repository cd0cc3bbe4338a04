function Counter(start) {
  this.count = start;
}

Counter.prototype.next = function () {
  return this.step(); //: calls Counter.step
};

Counter.prototype.step = function step() {
  return (this.count += 1);
};

module.exports = Counter;
module.exports.from = function (text) {
  return new Counter(Number(text)); //: calls Counter
};
