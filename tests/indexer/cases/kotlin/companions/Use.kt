package use

import web.Named
import web.Url
import web.Url.Companion.parse
import web.Url.Companion.toUrl

class Screen(private val url: Url) {
    fun show() {
        "x".toUrl().query() //: calls Url.kt::Url.toUrl, Url.kt::Url.query
        parse("y").query() //: calls Url.kt::Url.parse, Url.kt::Url.query
        Url.Companion.parse("z").query() //: calls Url.kt::Url.parse, Url.kt::Url.query
        Named.Factory.make() //: calls Url.kt::Named.make
        url.send(1) //: calls Screen.send
    }

    private fun Url.send(times: Int) {
        query() //: calls Url.kt::Url.query
        other() //: calls Screen.other
    }

    private fun other() {}
}
