"""Names that JavaScript and its hosts (browsers, Node) define: nothing of the project is behind them."""

_LANGUAGE = """
AggregateError Array ArrayBuffer AsyncFunction Atomics BigInt BigInt64Array BigUint64Array Boolean
DataView Date Error EvalError FinalizationRegistry Float32Array Float64Array Function Infinity
Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy
RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError
URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly
arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite
isNaN parseFloat parseInt undefined unescape null true false
"""
_HOSTS = """
AbortController AbortSignal Blob BroadcastChannel Buffer CSS CustomEvent DOMException DOMParser
Document Element Event EventSource EventTarget File FileList FileReader FormData HTMLElement Headers
IntersectionObserver KeyboardEvent MessageChannel MessageEvent MouseEvent MutationObserver Node
NodeList PerformanceObserver ReadableStream Request ResizeObserver Response Storage TextDecoder
TextEncoder TransformStream URL URLSearchParams WebSocket Window Worker WritableStream XMLHttpRequest
XMLSerializer __dirname __filename alert atob btoa caches cancelAnimationFrame clearImmediate
clearInterval clearTimeout confirm console crypto customElements document exports fetch
getComputedStyle global history importScripts indexedDB localStorage location matchMedia module
navigator performance postMessage process prompt queueMicrotask requestAnimationFrame
requestIdleCallback require screen scrollTo self sessionStorage setImmediate setInterval setTimeout
structuredClone top window Deno Bun
"""
_TESTS = "afterAll afterEach beforeAll beforeEach chai describe expect it jest mocha test vi sinon"

GLOBALS = frozenset((*_LANGUAGE.split(), *_HOSTS.split(), *_TESTS.split()))
