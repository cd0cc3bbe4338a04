function one() {}
function two() {}

const named = () => one(); //: calls one
const chosen = Math.random() > 1 ? () => one() : () => two(); //: calls one, two
const guarded = one && (() => two()); //: calls two

export function callbacks(list) {
  list.forEach(one); //: calls one
  list.map((item) => two(item)); //: calls two
  [one, two].forEach((each) => each()); //: calls one, two
  const made = [1].map(() => one); //: calls -
  made[0](); //: calls one
  setTimeout(named, 1); //: calls named
}

function apply(callback, value) {
  callback(value); //: calls two
}

apply(two, 1); //: calls apply, two

function outer() {
  function inner() {
    return one;
  }
  return inner()(); //: calls outer.inner, one
}

export const factory = (kind) => {
  return () => two(kind); //: calls two
};
factory('a')(); //: calls factory, factory.<lambda1>

one.call(null); //: calls one
two.apply(null, []); //: calls two
const bound = one.bind(null);
bound(); //: calls one
Reflect.apply(two, null, []); //: calls two

(function () {
  one(); //: calls one
})();

function* many() {
  yield one;
}
for (const each of many()) { //: calls many
  each(); //: calls one
}

async function wait() {
  return one;
}

wait().then((found) => found()); //: calls wait, one

const promise = new Promise((resolve) => resolve(two));
promise.then((found) => found()); //: calls two

function rest(...functions) {
  functions[0](); //: calls one
}
rest(one); //: calls rest, one

function options({ run, other = two }) {
  run(); //: calls one
  other(); //: calls two
}
options({ run: one }); //: calls options
