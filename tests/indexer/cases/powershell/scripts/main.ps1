using module ./Store.psm1 #: imports Store.psm1
. ./lib/helpers.ps1 #: imports lib/helpers.ps1
. "$PSScriptRoot/lib/more.ps1" #: imports lib/more.ps1

function Get-Total {
  param([int]$N, [User]$U)
  if ($N -gt 1) { Invoke-Check $N } else { $U.Greet(1) } #: calls lib/helpers.ps1::Invoke-Check, Store.psm1::User.Greet
  $w = [User]::Make() #: calls Store.psm1::User.Make
  $w.greet(2) #: calls Store.psm1::User.Greet
  $x = New-Object User #: calls Store.psm1::User, Store.psm1::User.User
  foreach ($i in $list) { get-total $i | Invoke-Check } #: calls Get-Total, lib/helpers.ps1::Invoke-Check
  Write-Host "done" #: calls -
}
Get-Total 3 #: calls Get-Total
