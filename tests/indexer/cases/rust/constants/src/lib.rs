pub const LIMIT: u32 = 3;
static DEFAULT: Config = Config { depth: LIMIT }; //: references Config, Config.depth, LIMIT
type Settings = Config;

pub struct Config { depth: u32 }
impl Config {
    const MAX: u32 = 9;
    fn load() -> Settings { DEFAULT.check(); Config { depth: Self::MAX } } //: calls Config.check
    fn check(&self) {}
}

fn f() {
    let s: Settings = Settings::load(); //: calls Config.load
    s.check(); //: calls Config.check
    DEFAULT.check(); //: calls Config.check; references DEFAULT
}
