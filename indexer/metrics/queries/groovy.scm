; inherits: java
