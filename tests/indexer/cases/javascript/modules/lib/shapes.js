export class Square {
  area() {
    return 1;
  }
}

export function makeSquare() {
  return new Square(); //: calls Square
}

export default function measure(shape) {
  return shape.area(); //: calls Square.area
}

const hidden = () => 0;
export { hidden as shown };
export const unit = 1;
