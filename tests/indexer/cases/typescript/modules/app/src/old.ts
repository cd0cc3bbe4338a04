class Old {
  static go() {}
}

export = Old; //: references Old
