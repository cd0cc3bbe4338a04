package web

class Url(val text: String) {
    fun query() = text

    companion object {
        fun String.toUrl(): Url = Url(this) //: calls Url
        fun parse(text: String): Url = text.toUrl() //: calls Url.toUrl
    }
}

class Named {
    companion object Factory {
        fun make(): Named = Named() //: calls Named
    }
}
