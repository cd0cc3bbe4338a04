variable "region" { default = "eu" }
locals {
  name = upper(var.region) #: references var.region
}
