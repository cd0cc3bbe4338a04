package net.client

class Request internal constructor(val url: String) {
    fun newBuilder(): Builder = Builder(this) //: calls Request.Builder, Request.Builder.constructor#2

    open class Builder {
        var url: String = ""

        constructor() {
            this.url = "/"
        }

        constructor(request: Request) {
            this.url = request.url
        }

        fun url(url: String): Builder = apply { this.url = url }
        fun build(): Request = Request(url) //: calls Request
    }

    sealed class Part {
        class Text(val text: String) : Part() {
            fun show() = text
        }
    }
}

class Body {
    fun string() = ""
}

class Response(val body: Body) {
    fun body(): Body = body

    fun rest() {
        body.string() //: calls Body.string
        body().string() //: calls Response.body, Body.string
    }
}
