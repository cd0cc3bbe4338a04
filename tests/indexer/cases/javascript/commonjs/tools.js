const path = require('path');

function join(left, right) {
  return path.join(left, right);
}

exports.join = join;
exports.split = function (text) {
  return exports.join(text, text); //: calls join
};
