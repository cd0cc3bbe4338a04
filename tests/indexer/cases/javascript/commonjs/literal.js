const helper = () => 1;

module.exports = {
  helper,
  run() {
    return helper(); //: calls helper
  },
  again: function () {
    return this.run(); //: calls run
  },
};
