function Other { }
