.class public LReuse;
.super Ljava/lang/Object;

# Whether the object of a reference goes within some collections.
.method public static goes(Ljava/lang/ref/WeakReference;)Z
  .registers 3
  const/4 v0, 0
  :again
  invoke-static {}, Ljava/lang/System;->gc()V
  invoke-virtual {p0}, Ljava/lang/ref/WeakReference;->get()Ljava/lang/Object;
  move-result-object v1
  if-eqz v1, :gone
  add-int/lit8 v0, v0, 1
  const/16 v1, 5
  if-lt v0, v1, :again
  const/4 v0, 0
  return v0
  :gone
  const/4 v0, 1
  return v0
.end method

.method public static use(Ljava/lang/Object;)I
  .registers 1
  invoke-virtual {p0}, Ljava/lang/Object;->hashCode()I
  move-result p0
  return p0
.end method

# An int in its register is the end of an object.
.method public static tInt()Z
  .registers 3
  new-instance v0, Ljava/lang/Object;
  invoke-direct {v0}, Ljava/lang/Object;-><init>()V
  new-instance v1, Ljava/lang/ref/WeakReference;
  invoke-direct {v1, v0}, Ljava/lang/ref/WeakReference;-><init>(Ljava/lang/Object;)V
  invoke-static {v0}, LReuse;->use(Ljava/lang/Object;)I
  const/4 v0, 3
  :again
  invoke-static {v1}, LReuse;->goes(Ljava/lang/ref/WeakReference;)Z
  move-result v2
  add-int/lit8 v0, v0, -1
  if-gtz v0, :again
  return v2
.end method

# A float in the register of a parameter.
.method public static parameter(Ljava/lang/Object;)F
  .registers 2
  invoke-static {p0}, LReuse;->use(Ljava/lang/Object;)I
  const/high16 p0, 0x3f800000
  :again
  add-float/2addr p0, p0
  const/high16 v0, 0x41000000
  cmpl-float v0, p0, v0
  if-ltz v0, :again
  return p0
.end method

# Zero is an int and null, and both are needed after a jump.
.method public static tZero()Ljava/lang/String;
  .registers 3
  const/4 v0, 0
  const/4 v1, 3
  :again
  if-nez v1, :more
  invoke-static {v0}, Ljava/lang/String;->valueOf(I)Ljava/lang/String;
  move-result-object v1
  invoke-virtual {v1, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
  move-result v0
  invoke-static {v0}, Ljava/lang/String;->valueOf(Z)Ljava/lang/String;
  move-result-object v0
  return-object v0
  :more
  add-int/lit8 v1, v1, -1
  goto :again
.end method

# A handler needs the object that its register holds until the int is there.
.method public static tHandler()Ljava/lang/String;
  .registers 3
  const-string v0, "kept"
  invoke-virtual {v0}, Ljava/lang/String;->trim()Ljava/lang/String;
  move-result-object v0
  const/4 v1, 0
  :start
  invoke-virtual {v0}, Ljava/lang/String;->length()I
  move-result v2
  invoke-virtual {v0, v2}, Ljava/lang/String;->charAt(I)C
  :end
  .catchall {:start .. :end} :caught
  move-result v0
  :again
  add-int/lit8 v0, v0, -1
  if-gtz v0, :again
  invoke-static {v0}, Ljava/lang/String;->valueOf(I)Ljava/lang/String;
  move-result-object v0
  return-object v0
  :caught
  move-exception v1
  return-object v0
.end method

# A long and a double in the same registers.
.method public static tWide()J
  .registers 6
  const-wide/16 v0, 4
  invoke-static {v0, v1}, Ljava/lang/Long;->toString(J)Ljava/lang/String;
  move-result-object v2
  const-wide/high16 v0, 0x4000000000000000L
  :again
  add-double/2addr v0, v0
  const-wide/high16 v3, 0x4020000000000000L
  cmpg-double v3, v0, v3
  if-ltz v3, :again
  double-to-long v0, v0
  invoke-virtual {v2}, Ljava/lang/String;->length()I
  move-result v2
  int-to-long v2, v2
  add-long/2addr v0, v2
  return-wide v0
.end method

.method public static tParameter()F
  .registers 1
  const-string v0, "a"
  invoke-static {v0}, LReuse;->parameter(Ljava/lang/Object;)F
  move-result v0
  return v0
.end method
