class User : Base {
  [string]$Name
  [User]$Next
  User([string]$n) { $this.Name = $n } #: references User.Name
  [void] Greet([int]$x) { $this.Next.Save($x) } #: calls User.Save
  [void] Save([int]$x) { }
  static [User] Make() { return [User]::new("a") } #: calls User, User.User
}
