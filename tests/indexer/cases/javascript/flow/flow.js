class Left {
  go() {}
}
class Right {
  go() {}
}

function versions(flag) {
  let thing = new Left();
  thing.go(); //: calls Left.go
  thing = new Right();
  thing.go(); //: calls Right.go
  if (flag) {
    thing = new Left();
  }
  thing.go(); //: calls Left.go, Right.go
}

function blocks() {
  const thing = new Left();
  {
    const thing = new Right();
    thing.go(); //: calls Right.go
  }
  thing.go(); //: calls Left.go
}

let late;
function assign() {
  late = new Right();
}
function read() {
  late.go(); //: calls Right.go
}

function loop(list) {
  let current = new Left();
  for (const each of list) {
    current.go(); //: calls Left.go, Right.go
    current = new Right();
  }
}

function narrowed(thing) {
  if (thing instanceof Left) {
    thing.go(); //: calls Left.go
  }
  return thing instanceof Right && thing.go(); //: calls Right.go
}

function stored() {
  const record = { left: new Left() };
  record.left.go(); //: calls Left.go
  record.left = new Right();
  record.left.go(); //: calls Right.go
  record['other'] = new Left();
  record.other.go(); //: calls Left.go
  const { left } = record;
  left.go(); //: calls Left.go, Right.go
  const table = new Map();
  table.set('key', new Left());
  table.get('key').go(); //: calls Left.go
}

const table = { left: () => 1, right: () => 2 };
function dispatch(key) {
  return table[key](); //: calls table.left, table.right
}

hoisted(); //: calls hoisted
function hoisted() {}
