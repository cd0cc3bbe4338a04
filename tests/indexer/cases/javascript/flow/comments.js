class Store {
  save() {}
}

/**
 * Keeps things.
 *
 * @param {Store} store where they go
 * @param {Store[]} others
 * @param {string} name
 * @returns {Store | null} the same
 */
function keep(store, others, name) {
  store.save(); //: calls Store.save
  others[0].save(); //: calls Store.save
  return load(name); //: calls -
}

keep().save(); //: calls keep, Store.save
