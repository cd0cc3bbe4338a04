pub fn trim(s: &str) -> &str { s }
