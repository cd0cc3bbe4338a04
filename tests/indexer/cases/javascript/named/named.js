import outside from 'outside';

export function start(name) {}

export function unknown(plugin) {
  return plugin['start']('a'); //: calls start
}

export function computed(plugin, key) {
  return plugin[key]('a'); //: calls -
}

export function dotted(plugin) {
  return plugin.start('a'); //: calls -
}

export function library() {
  return outside['start']('a'); //: calls -
}

export function known() {
  const own = { stop() {} };
  own["stop"](); //: calls known.own.stop
}

export function reflected(plugin, key) {
  Reflect.get(plugin, 'start'); //: calls start
  Reflect.get(plugin, key); //: calls -
}
