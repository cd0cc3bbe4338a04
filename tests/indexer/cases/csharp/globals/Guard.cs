namespace Annotations
{
    sealed class NotEmptyAttribute : Attribute { }
}

static class Guard
{
    public static T NotNull<T>(T? argument, string? name = null) where T : class => argument;
}
