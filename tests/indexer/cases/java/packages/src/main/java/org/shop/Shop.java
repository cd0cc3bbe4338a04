package org.shop;

import org.shop.pay.Card; //: imports src/main/java/org/shop/pay/Card.java; references src/main/java/org/shop/pay/Card.java::Card
import org.shop.util.*; //: imports src/main/java/org/shop/util/Text.java

public class Shop {
    Basket basket = new Basket(); //: calls src/main/java/org/shop/Basket.java::Basket

    void sell(Card card) {
        basket.add(card); //: calls src/main/java/org/shop/Basket.java::Basket.add
        Text.trim("x"); //: calls src/main/java/org/shop/util/Text.java::Text.trim
        org.shop.util.Text.trim("y"); //: calls src/main/java/org/shop/util/Text.java::Text.trim
        Card.Kind.parse("x"); //: calls src/main/java/org/shop/pay/Card.java::Card.Kind.parse
    }
}
