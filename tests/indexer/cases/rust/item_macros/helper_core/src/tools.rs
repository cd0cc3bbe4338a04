pub trait Visit {
    fn visit(&self);
}
