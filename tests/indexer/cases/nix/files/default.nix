{ lib, pkgs ? import <nixpkgs> { } }:
let
  helper = x: x + 1;
  config = import ./config.nix { inherit lib; }; #: imports config.nix
  build = { a, b ? 2 }: helper a; #: calls helper
in
rec {
  result = build { a = helper 1; }; #: calls build, helper
  shell = pkgs.mkShell { inputs = [ result config ]; }; #: references result, config
  package = pkgs.callPackage ./pkg { }; #: imports pkg/default.nix
}
