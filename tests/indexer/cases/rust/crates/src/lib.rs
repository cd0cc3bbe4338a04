pub extern crate store_helpers as aid;
pub use tools::*;

pub struct Store { tool: tools::Tool }

impl Store {
    pub fn open() -> Store { Store { tool: tools::Tool::new() } } //: calls helpers/src/library.rs::Tool.new
    pub fn work(&self) { self.tool.run() } //: calls helpers/src/library.rs::Tool.run
}
