interface Out {
  run(): void; //: calls -
}

type Parse = (value: string) => Out;

const make = (kind: string): Parse => (value) => ({ run() {} });

function one(value: string): Out {
  return { run() {} };
}

const parse: Parse = make("a"); //: calls make
const plain = make("b");
const same: Parse = one;

export function use() {
  parse("x"); //: calls make.<lambda1>
  plain("x"); //: calls make.<lambda1>
  same("x"); //: calls one
}

export function take(given: Parse) {
  given("x").run(); //: calls Out.run
}
