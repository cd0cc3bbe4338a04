module "net" {
  source = "./net" #: imports net/net.tf
  region = var.region #: references variables.tf::var.region
}
resource "aws_s3_bucket" "logs" {
  bucket = "x-${local.name}" #: references variables.tf::local.name
  net    = module.net.id #: references module.net
}
output "arn" { value = aws_s3_bucket.logs.arn } #: references aws_s3_bucket.logs
