package p;

import org.junit.Test;

public class CalcTest {
    private Calc calc = new Calc();

    @Test
    public void adds() {
        calc.add(1, 2); //: calls src/main/java/p/Calc.java::Calc.add; tests src/main/java/p/Calc.java::Calc.add
        helper(); //: calls CalcTest.helper
    }

    private void helper() {
        calc.add(2, 3); //: calls src/main/java/p/Calc.java::Calc.add; tests -
    }
}
