const inherits = require('util').inherits;

function Base() {
  this.ready = true;
}

Base.prototype.start = function () {
  return this.stop(); //: calls Base.stop
};

const proto = Base.prototype;
proto.stop = function () {};

function Derived() {
  Base.call(this); //: calls Base
}

inherits(Derived, Base);

function Other() {}
Other.prototype = Object.create(Base.prototype);

function Literal() {}
Literal.prototype = {
  first() {
    return this.second(); //: calls Literal.second
  },
  second: function () {},
};

new Derived().start(); //: calls Derived, Base.start
new Other().stop(); //: calls Other, Base.stop
new Literal().first(); //: calls Literal, Literal.first

const app = {};
app.handle = function handle() {
  return this.next(); //: calls app.next
};
app.next = () => {};
app.handle(); //: calls app.handle

const mixed = Object.assign({}, app, { extra() {} });
mixed.next(); //: calls app.next
mixed.extra(); //: calls extra
const spread = { ...app };
spread.handle(); //: calls app.handle
