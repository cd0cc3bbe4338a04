package use

import net.client.Request
import net.client.Response

class Use {
    fun run(response: Response) {
        Request.Builder().url("x").build() //: calls Client.kt::Request.Builder, Client.kt::Request.Builder.constructor, Client.kt::Request.Builder.url, Client.kt::Request.Builder.build
        val made = Request
            .Builder() //: calls Client.kt::Request.Builder, Client.kt::Request.Builder.constructor
            .url("y") //: calls Client.kt::Request.Builder.url
        made.build() //: calls Client.kt::Request.Builder.build
        Request.Part.Text("a").show() //: calls Client.kt::Request.Part.Text, Client.kt::Request.Part.Text.show
        response.body.string() //: calls Client.kt::Body.string
        response.body().string() //: calls Client.kt::Response.body, Client.kt::Body.string
        net.client.Request("z").newBuilder() //: calls Client.kt::Request, Client.kt::Request.newBuilder
    }
}
