macro_rules! far {
    () => {};
}
