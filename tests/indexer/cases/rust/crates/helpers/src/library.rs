pub struct Tool;

impl Tool {
    pub fn new() -> Tool { Tool }
    pub fn run(&self) {}
}

pub fn help() {}
