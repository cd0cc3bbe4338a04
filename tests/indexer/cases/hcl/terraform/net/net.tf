output "id" { value = 1 }
