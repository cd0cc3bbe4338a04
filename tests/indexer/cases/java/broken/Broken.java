class Broken {
    void good() { helper(); } //: calls Broken.helper

    void bad() {
        int x = = 3;
        helper(; 
    }

    void helper() {}

    void after() { good(); } //: calls Broken.good
}
