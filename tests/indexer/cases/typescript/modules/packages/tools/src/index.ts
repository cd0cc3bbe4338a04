import { inner } from '#inner'; //: imports packages/tools/src/inner.ts

export function tool() {
  return inner(); //: calls packages/tools/src/inner.ts::inner
}
