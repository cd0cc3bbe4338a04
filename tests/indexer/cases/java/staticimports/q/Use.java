package q;

import static p.Math2.LIMIT; //: references p/Math2.java::Math2.LIMIT
import static p.Math2.twice;
import static p.Math2.*;

class Use {
    int f() {
        return twice(LIMIT) + thrice(1); //: calls p/Math2.java::Math2.twice, p/Math2.java::Math2.thrice; references p/Math2.java::Math2.LIMIT
    }
}
